/** A wallet that breaks the rules on purpose, for tests and demonstrations only. */
@NullMarked
package io.solidus.dev.dishonestwallet;

import org.jspecify.annotations.NullMarked;
