export { LlmModule } from './llm.module';
export { LanguageModel, type ModelAnswer, type ModelRequest, type ModelUsage } from './port/language.model';
export { LlmError, type LlmReason } from './port/llm.errors';
