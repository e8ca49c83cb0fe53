/** The platform's services as contexts of one JVM. */
@NullMarked
package io.solidus.sandbox.services;

import org.jspecify.annotations.NullMarked;
