export { accepts, type Answer, answers, hangs, TestReceiver } from './test-receiver';
