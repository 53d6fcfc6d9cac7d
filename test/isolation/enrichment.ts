import { EnrichmentItemsService } from '@domain/enrichment';
import { getConnectionToken } from '@nestjs/mongoose';
import { type Connection, Types } from 'mongoose';
import { type Platform, type SeededWorkspace } from '../harness';

const JOBS = '/v1/enrichment/jobs';

/** Stores two jobs, one of them half done. @returns its id */
export async function makeEnrichment(platform: Platform, { workspaceId, key }: SeededWorkspace): Promise<string> {
  const api = platform.api.as(key);
  const begin = async (...emails: string[]): Promise<string> => {
    const response = await api.post(JOBS).send({ type: 'email_verification', emails }).expect(201);
    return (response.body as { data: { id: string } }).data.id;
  };
  await begin('ada@example.com');
  const id = await begin('ada@example.com', 'bob@example.com', 'eve@example.com');
  const connection = platform.app.get<Connection>(getConnectionToken());
  const filter = {
    workspaceId: new Types.ObjectId(workspaceId),
    email: { $in: ['ada@example.com', 'bob@example.com'] },
  };
  const job = await connection.collection('enrichment_jobs').findOne({ workspaceId: filter.workspaceId, code: id });
  const items = await connection
    .collection('enrichment_items')
    .find({ ...filter, jobId: job?.['_id'] })
    .toArray();
  for (const { _id, jobId } of items) {
    const outcome = { result: 'valid', reasons: ['accepted'], isDecisive: true, detail: {}, checkedAt: new Date() };
    const settled = platform.app
      .get(EnrichmentItemsService, { strict: false })
      .settle(workspaceId, String(jobId), String(_id), { kind: 'done', ...outcome });
    if (!(await settled)) throw new Error('An item of the half-done job was not settled');
  }
  return id;
}
