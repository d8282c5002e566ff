/**
 * What {@code doctor} looks at: {@link io.snowlease.admin.doctor.Doctor} gathers what there is to see, the checks judge
 * it, each one idea, without asking anybody or reading a clock.
 */
package io.snowlease.admin.doctor;
