/** The service's configuration. */
@NullMarked
package io.solidus.operator.issuance.settings;

import org.jspecify.annotations.NullMarked;
