import { testEngine } from '../../support/engines/test-engine.ts';

testEngine('Chromium');
