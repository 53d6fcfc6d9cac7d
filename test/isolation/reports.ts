import { getModelToken } from '@nestjs/mongoose';
import { type ApiClient } from '@testing';
import { type Model, Types } from 'mongoose';
import { type Platform } from '../harness';

/** Stores two recipients, and two sent reports of the first one. @returns the id of the first one */
export async function makeReports({ app }: Platform, api: ApiClient, workspaceId: string): Promise<string> {
  const suffix = workspaceId.slice(-8);
  const [first] = await Promise.all(['reader', 'other'].map((name) => recipient(api, `${name}-${suffix}@example.com`)));
  const reports = app.get<Model<object>>(getModelToken('ReportRecord'), { strict: false });
  const period = { frequency: 'weekly', first: '2026-11-16', last: '2026-11-22', timezone: 'UTC' };
  const sent = {
    workspaceId: new Types.ObjectId(workspaceId),
    recipientId: new Types.ObjectId(first),
    email: `reader-${suffix}@example.com`,
    trigger: 'schedule',
    period,
    state: 'sent',
    attempts: 1,
    expiresAt: new Date(),
  };
  await reports.create([
    { ...sent, key: 'weekly 1' },
    { ...sent, key: 'weekly 2' },
  ]);
  return first!;
}

async function recipient(api: ApiClient, email: string): Promise<string> {
  const { body } = await api.post('/v1/reports/recipients').send({ name: 'Reader', email }).expect(201);
  return (body as { data: { _id: string } }).data._id;
}
