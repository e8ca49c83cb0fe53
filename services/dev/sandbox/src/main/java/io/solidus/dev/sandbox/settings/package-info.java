/** Where a sandbox keeps its data and which ports its services listen on. */
@NullMarked
package io.solidus.dev.sandbox.settings;

import org.jspecify.annotations.NullMarked;
