import { type EventRecord } from '@domain/events';
import { type INestApplicationContext } from '@nestjs/common';
import { getConnectionToken } from '@nestjs/mongoose';
import { type Connection } from 'mongoose';
import { getEventViolations } from '../domain/events/testing';

/** Checks every event that a suite has recorded against its schema. @throws Error with all violations */
export async function expectValidEvents(app: INestApplicationContext): Promise<void> {
  const connection = app.get<Connection>(getConnectionToken(), { strict: false });
  const events = connection.collection<EventRecord>('events').find({}, { projection: { type: 1, data: 1 } });
  const violations = getEventViolations(await events.toArray());
  if (violations.length === 0) return;
  throw new Error(['Recorded events violate their schemas:', ...violations].join('\n'));
}
