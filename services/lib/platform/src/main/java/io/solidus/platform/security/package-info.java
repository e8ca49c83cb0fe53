/** Authorization: bearer tokens and roles for the admin API, anonymous access elsewhere. */
@NullMarked
package io.solidus.platform.security;

import org.jspecify.annotations.NullMarked;
