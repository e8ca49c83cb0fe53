/** Trace ids: what one request caused, found again in every log. */
@NullMarked
package io.solidus.platform.web;

import org.jspecify.annotations.NullMarked;
