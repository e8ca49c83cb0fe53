/** Login at the OpenID provider, the session, and the headers of every answer. */
@NullMarked
package io.solidus.operator.console.login;

import org.jspecify.annotations.NullMarked;
