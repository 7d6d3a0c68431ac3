/**
 * Chooses the dialect of public clients for this process: to be imported before all that takes a
 * name. Tests that do so stand in `test/dialect`, where each file has a process of its own.
 */
import { chooseDialect } from '../../src/semantics/dialect/own-names.ts';

chooseDialect('k8s.io');
