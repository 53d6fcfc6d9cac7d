import { type Migration } from '@platform/migrations';
import { ownerOfCampaigns } from './0001-owner-of-campaigns';
import { completeEvents } from './0002-what-events-tell';
import { daysOfCampaigns } from './0003-days-of-campaigns';
import { droppedIndexes } from './0004-indexes-without-readers';
import { namesOfTheGlossary } from './0005-names-of-the-glossary';
import { mailboxLeases } from './0006-mailbox-leases';
import { oauthSessions } from './0007-oauth-sessions';
import { eventOutbox } from './0008-event-outbox';
import { jobRecords } from './0009-job-records';

/** All migrations, oldest first. A released migration is never changed, renamed or removed: databases record its name. */
export const migrations: readonly Migration[] = [
  ownerOfCampaigns,
  completeEvents,
  daysOfCampaigns,
  droppedIndexes,
  namesOfTheGlossary,
  mailboxLeases,
  oauthSessions,
  eventOutbox,
  jobRecords,
];
