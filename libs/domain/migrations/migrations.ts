import { type Migration } from '@platform/migrations';
import { daysOfCampaigns } from './0003-days-of-campaigns';
import { droppedIndexes } from './0004-indexes-without-readers';
import { ownerOfCampaigns } from './0001-owner-of-campaigns';
import { completeEvents } from './0002-what-events-tell';

/** All of them, oldest first. One that was released is never changed, renamed or removed: databases have seen it. */
export const migrations: readonly Migration[] = [ownerOfCampaigns, completeEvents, daysOfCampaigns, droppedIndexes];
