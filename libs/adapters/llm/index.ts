export { LlmModule } from './llm.module';
export { LanguageModelPort, type ModelAnswer, type ModelRequest, type ModelUsage } from './port/language-model.port';
export { getCost } from './port/model-cost';
export { LlmError, type LlmReason } from './port/llm.errors';
