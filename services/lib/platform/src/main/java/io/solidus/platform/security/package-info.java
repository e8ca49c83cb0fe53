/** Who may call what: bearer tokens and roles for the admin API, nobody identified elsewhere. */
@NullMarked
package io.solidus.platform.security;

import org.jspecify.annotations.NullMarked;
