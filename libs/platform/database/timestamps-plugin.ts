import { type ClockPort } from '@platform/clock';
import { type Schema } from 'mongoose';

/** Mongoose plugin: `createdAt` and `updatedAt`, where a record declares them, come from the injected clock. */
export function stampFrom(clock: ClockPort) {
  return (schema: Schema): void => {
    const createdAt = schema.path('createdAt') !== undefined;
    const updatedAt = schema.path('updatedAt') !== undefined;
    if (createdAt || updatedAt) schema.set('timestamps', { createdAt, updatedAt, currentTime: () => clock.now() });
  };
}
