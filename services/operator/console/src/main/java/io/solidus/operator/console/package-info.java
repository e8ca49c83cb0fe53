/**
 * The operators' console: pages for the bank's people over the admin APIs, called with the access
 * token of whoever is logged in.
 */
@NullMarked
package io.solidus.operator.console;

import org.jspecify.annotations.NullMarked;
