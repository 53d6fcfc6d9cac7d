import { type Migration } from '@platform/migrations';
import { daysOfCampaigns } from './days.of.campaigns';
import { droppedIndexes } from './dropped.indexes';
import { ownerOfCampaigns } from './owner.of.campaigns';
import { toldEvents } from './told.events';

/** All of them, oldest first. One that was released is never changed, renamed or removed: databases have seen it. */
export const migrations: readonly Migration[] = [ownerOfCampaigns, toldEvents, daysOfCampaigns, droppedIndexes];
