import { getModelToken } from '@nestjs/mongoose';
import { type Model } from 'mongoose';
import { type Platform } from '../harness';

const WELL = { mx: 'pass', spf: 'pass', dkim: 'pass', dmarc: 'pass' };

/** Two checked domains, and two history entries for that of the mailbox. */
export async function makeHealth({ app, clock }: Platform, workspaceId: string, email: string): Promise<void> {
  const model = (name: string) => app.get<Model<Record<string, unknown>>>(getModelToken(name), { strict: false });
  const domain = email.slice(email.lastIndexOf('@') + 1);
  const found = { workspaceId, healthScore: 100, statuses: WELL };
  const checked = { ...found, settled: WELL, checkedAt: clock.now(), nextCheckAt: clock.in(86_400_000), revision: 1 };
  for (const name of [domain, `other-${workspaceId}.example`]) {
    await model('DomainHealthRecord').create({ ...checked, domain: name });
    await model('HealthEntryRecord').create({ ...found, domain });
  }
}
