/** Blind tokens: RFC 9474 signatures, RFC 9578 issuance, the RFC 9577 authentication scheme. */
@NullMarked
package io.solidus.wire.token;

import org.jspecify.annotations.NullMarked;
