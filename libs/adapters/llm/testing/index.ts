export { completion, failure, FAILURES, ModelServer } from './model-server';
