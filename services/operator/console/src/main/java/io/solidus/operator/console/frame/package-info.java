/** What every page has: navigation, work queues, problems and outcomes. */
@NullMarked
package io.solidus.operator.console.frame;

import org.jspecify.annotations.NullMarked;
