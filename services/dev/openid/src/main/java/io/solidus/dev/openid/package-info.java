/** An OpenID provider for the sandbox and for tests: who the bank's people and services are. */
@NullMarked
package io.solidus.dev.openid;

import org.jspecify.annotations.NullMarked;
