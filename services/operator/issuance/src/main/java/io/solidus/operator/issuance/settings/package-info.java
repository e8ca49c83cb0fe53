/** The settings of the issuance service. */
@NullMarked
package io.solidus.operator.issuance.settings;

import org.jspecify.annotations.NullMarked;
