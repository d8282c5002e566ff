package io.snowlease.admin;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.snowlease.generator.Clocks;
import java.time.Clock;
import java.time.Instant;

/** Who may know whom; here, as this module alone sees all the others. */
@AnalyzeClasses(packages = "io.snowlease", importOptions = DoNotIncludeTests.class)
class ModuleBordersTest {
    @ArchTest
    static final ArchRule generatorKnowsTheJdkAlone = classes()
            .that()
            .resideInAPackage("io.snowlease.generator")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("io.snowlease.generator", "java..", "org.jspecify.annotations");

    @ArchTest
    static final ArchRule protocolDoesNoInputOrOutput = classes()
            .that()
            .resideInAPackage("io.snowlease.registry.protocol")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "io.snowlease.registry.protocol",
                    "io.snowlease.generator",
                    "java.lang",
                    "java.lang.invoke",
                    "java.lang.runtime",
                    "java.math",
                    "java.time",
                    "java.util",
                    "java.util.function",
                    "java.util.stream",
                    "org.jspecify.annotations");

    @ArchTest
    static final ArchRule protocolReadsNoClock = noClasses()
            .that()
            .resideInAPackage("io.snowlease.registry.protocol")
            .should()
            .dependOnClassesThat()
            .areAssignableTo(Clocks.class);

    @ArchTest
    static final ArchRule coreKnowsNoStoreButItsOwn = noClasses()
            .that()
            .resideInAnyPackage("io.snowlease.registry", "io.snowlease.registry.protocol", "io.snowlease.registry.spi")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.snowlease.registry.zookeeper..", "org.apache..", "io.netty..", "ch.qos.logback..", "picocli..");

    @ArchTest
    static final ArchRule storesKnowTheCoresPortAlone = noClasses()
            .that()
            .resideInAPackage("io.snowlease.registry.zookeeper..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.snowlease.registry", "io.snowlease.registry.memory..", "ch.qos.logback..", "picocli..");

    @ArchTest
    static final ArchRule nobodyKnowsAdmin = noClasses()
            .that(resideInAPackage("io.snowlease..")
                    .and(resideInAPackage("io.snowlease.admin..").negate()))
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.snowlease.admin..");

    @ArchTest
    static final ArchRule httpKnowsNoCommandLine = noClasses()
            .that()
            .resideInAnyPackage("io.snowlease.admin.http", "io.snowlease.admin.view", "io.snowlease.admin.serve")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.snowlease.admin.cli", "picocli..");

    @ArchTest
    static void theMachinesClocksAreReadInOnePlace(JavaClasses all) {
        ArchRule rule = noClasses()
                .that()
                .areNotAssignableTo(Clocks.class)
                .should()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(Instant.class, "now")
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(Clock.class);
        rule.check(all);
    }
}
