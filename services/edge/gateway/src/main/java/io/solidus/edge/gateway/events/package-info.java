/** Server-sent events: who may hold a stream open, for how long, and how it ends. */
@NullMarked
package io.solidus.edge.gateway.events;

import org.jspecify.annotations.NullMarked;
