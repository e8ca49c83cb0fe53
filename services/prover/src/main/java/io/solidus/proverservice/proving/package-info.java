/** Opens a sealed witness, proves, seals the proof. */
@NullMarked
package io.solidus.proverservice.proving;

import org.jspecify.annotations.NullMarked;
