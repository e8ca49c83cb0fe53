/** The OpenAPI document that a service serves: names, limits and refusals of its calls. */
@NullMarked
package io.solidus.platform.description;

import org.jspecify.annotations.NullMarked;
