import { DnsPort } from '@adapters/dns';
import { MailboxRepository } from '@domain/mailboxes';
import { TransactionService } from '@platform/database';
import { type FakeClock } from '@testing';
import { type Model } from 'mongoose';
import { RateLimiter } from '@platform/concurrency';
import { BlacklistTestJobService } from '../runs/blacklist-test-job.service';
import { BlacklistTestJobRecordService } from '../runs/blacklist-test-job-record.service';
import { BlacklistTestRepository } from '../runs/blacklist-test.repository';
import { SendingAddressRepository } from '../runs/sending-address.repository';
import { BlacklistZoneRecord } from '../schemas/blacklist-zone.record';
import { BlacklistZonesService } from '../zones/blacklist-zones.service';
import { ZoneCatalogue } from '../zones/zone-catalogue';
import { ZoneLookupsService } from '../zones/zone-lookups.service';

/** The parts of the fixture that a worker uses. */
interface WorkerServices {
  readonly clock: FakeClock;
  readonly dns: DnsPort;
  get<T>(service: abstract new (...args: never[]) => T): T;
  model<T>(record: { name: string }): Model<T>;
}

/** A separate worker with its own running queries. */
export function newBlacklistWorker(
  fixture: WorkerServices,
  pace: RateLimiter = new RateLimiter({ perKey: 4, gapMs: 0, total: 48 }),
): BlacklistTestJobService {
  const lookups = new ZoneLookupsService(fixture.dns, pace);
  const [catalogue, transactions] = [fixture.get(ZoneCatalogue), fixture.get(TransactionService)];
  const records = fixture.model<BlacklistZoneRecord>(BlacklistZoneRecord);
  return new BlacklistTestJobService(
    fixture.get(BlacklistTestRepository),
    fixture.get(BlacklistTestJobRecordService),
    catalogue,
    new BlacklistZonesService(records, catalogue, lookups, transactions, fixture.clock),
    lookups,
    fixture.get(MailboxRepository),
    fixture.get(SendingAddressRepository),
    fixture.get(DnsPort),
  );
}
