/** The platform's services as contexts of one JVM. */
@NullMarked
package io.solidus.dev.sandbox.services;

import org.jspecify.annotations.NullMarked;
