/** Identifies persons, one registration each, and attests it to the compliance issuers. */
@NullMarked
package io.solidus.registration;

import org.jspecify.annotations.NullMarked;
