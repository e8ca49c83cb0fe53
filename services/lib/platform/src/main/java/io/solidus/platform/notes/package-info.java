/** Keys of signed notes: those that a service trusts, and its own. */
@NullMarked
package io.solidus.platform.notes;

import org.jspecify.annotations.NullMarked;
