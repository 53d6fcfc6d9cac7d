import { type DueLeadRepository, type LeadRecord, type LeadStopService } from '@domain/leads';
import { type SuppressionsService } from '@domain/suppressions';
import { Types } from 'mongoose';
import { DueLeadCacheService } from './due-lead-cache.service';

const NOW = new Date('2026-11-03T12:00:00Z');

it('the cache drops the leads of campaigns that were read long ago', async () => {
  const due = jest.fn(async () => [{ _id: new Types.ObjectId(), email: 'ada@acme.test' } as LeadRecord]);
  const suppressions = { matching: async () => new Set<string>() };
  const cache = new DueLeadCacheService(
    { due } as Partial<DueLeadRepository> as DueLeadRepository,
    {} as LeadStopService,
    suppressions as Partial<SuppressionsService> as SuppressionsService,
  );
  const workspaceId = new Types.ObjectId();
  const campaigns = Array.from({ length: 201 }, () => new Types.ObjectId());
  for (const campaignId of campaigns) await cache.due({ workspaceId, campaignId, mailboxId: null }, NOW, 20);
  expect(await cache.hasMore(campaigns[0]!.toHexString())).toBe(false);
  expect(await cache.hasMore(campaigns[1]!.toHexString())).toBe(true);
  expect(await cache.hasMore(campaigns[200]!.toHexString())).toBe(true);
});
