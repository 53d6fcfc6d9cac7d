export {
  AddSuppressionsRequest,
  SuppressionQuery,
  SuppressionResponse,
  SuppressionsAddedResponse,
} from './dto/suppression.dto';
export { type SuppressionSource } from './schemas/suppression.record';
export { type SuppressedValues, SUPPRESSION_HOOKS, type SuppressionHooks } from './suppression-hooks';
export { SuppressionsModule } from './suppressions.module';
export { type NewSuppressions, type SuppressionOrigin, SuppressionsService } from './suppressions.service';
export { ERASED_REASON, SUPPRESSIONS_PERSONAL_DATA } from './suppression-personal-data';
