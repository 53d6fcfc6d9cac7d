export { completion, FAILURES, ModelServer } from './model.server';
