import { testEngine } from '../../support/engines/test-engine.ts';

testEngine('WebKit');
