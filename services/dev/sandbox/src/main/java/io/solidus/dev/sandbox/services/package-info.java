/** The platform's services, each in a context of one JVM. */
@NullMarked
package io.solidus.dev.sandbox.services;

import org.jspecify.annotations.NullMarked;
