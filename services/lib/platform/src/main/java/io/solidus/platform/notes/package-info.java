/** Whose signatures a service believes, and its own. */
@NullMarked
package io.solidus.platform.notes;

import org.jspecify.annotations.NullMarked;
