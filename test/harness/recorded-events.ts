import { type INestApplicationContext } from '@nestjs/common';
import { getConnectionToken } from '@nestjs/mongoose';
import { type EventType } from '@domain/events';
import { getMessageSchema } from '@domain/webhooks';
import { expectValidEvents } from '@testing';
import { type Connection } from 'mongoose';
import { getViolations } from '../../libs/domain/events/testing';

/**
 * Checks recorded events and sent webhook messages of any suite against the schemas of the documentation.
 * @throws Error naming each violation
 */
export async function expectDocumentedEventData(app: INestApplicationContext): Promise<void> {
  await expectValidEvents(app);
  const violations = (await deliveries(app)).flatMap(({ type, body }) =>
    getViolations(getMessageSchema(type), JSON.parse(body)).map((what) => `${type}: ${what}`),
  );
  if (violations.length === 0) return;
  throw new Error(['Webhook messages violate their schemas:', ...new Set(violations)].join('\n'));
}

async function deliveries(app: INestApplicationContext): Promise<{ type: EventType; body: string }[]> {
  const connection = app.get<Connection>(getConnectionToken(), { strict: false });
  // Events of erased people have incomplete data.
  const found = connection
    .collection('webhook_deliveries')
    .find({ body: { $ne: '' } }, { projection: { type: 1, body: 1 } });
  return (await found.toArray()) as unknown as { type: EventType; body: string }[];
}
