export { LlmModule } from './llm.module';
export { LanguageModel, type ModelAnswer, type ModelRequest, type ModelUsage } from './port/language.model';
export { costOf } from './port/model.cost';
export { LlmError, type LlmReason } from './port/llm.errors';
