export {
  AddSuppressionsRequest,
  SuppressionQuery,
  SuppressionResponse,
  SuppressionsAddedResponse,
} from './dto/suppression.dto';
export { type SuppressionSource } from './schemas/suppression.record';
export { type SuppressedValues, type SuppressionEffect, SuppressionEffects } from './suppression.effects';
export { SuppressionsModule } from './suppressions.module';
export { type NewSuppressions, type SuppressionOrigin, Suppressions } from './suppressions.service';
