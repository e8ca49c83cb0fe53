/** What operators did and looked at, for auditors. */
@NullMarked
package io.solidus.operator.console.audit;

import org.jspecify.annotations.NullMarked;
