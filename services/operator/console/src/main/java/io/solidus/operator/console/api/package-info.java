/** Calls of the admin APIs with the access token of the person who is logged in. */
@NullMarked
package io.solidus.operator.console.api;

import org.jspecify.annotations.NullMarked;
