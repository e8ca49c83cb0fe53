/** Whether the services are ready. */
@NullMarked
package io.solidus.operator.console.health;

import org.jspecify.annotations.NullMarked;
