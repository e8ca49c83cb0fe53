/** The fault suite's command. */
@NullMarked
package io.solidus.loadtest.chaos.run;

import org.jspecify.annotations.NullMarked;
