/** The story of a private, regulated payment, step by step. */
@NullMarked
package io.solidus.dev.sandbox.demo;

import org.jspecify.annotations.NullMarked;
