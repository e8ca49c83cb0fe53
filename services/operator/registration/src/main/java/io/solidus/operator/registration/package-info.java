/** Identifies persons, one registration each, and attests it to the compliance issuers. */
@NullMarked
package io.solidus.operator.registration;

import org.jspecify.annotations.NullMarked;
