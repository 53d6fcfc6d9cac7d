export { EnrichmentModule } from './enrichment.module';
export { type EnrichmentType } from './work/enrichment.type';
export {
  type FinalOutcome,
  type ItemOutcome,
  type ItemWork,
  type JobAtWork,
  WorkImpossible,
  type WorkItem,
} from './work/item.work';
export { ItemWorks } from './work/item.works';
