/** The screening of who pays in and who is paid out. */
@NullMarked
package io.solidus.operator.issuance.screening;

import org.jspecify.annotations.NullMarked;
