package io.snowlease.admin.house;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.snowlease.generator.Clocks;
import io.snowlease.generator.Layout;
import java.net.InetAddress;
import java.time.Instant;
import java.util.UUID;

/** What may lean on what. */
@AnalyzeClasses(packages = "io.snowlease", importOptions = ImportOption.DoNotIncludeTests.class)
class ModuleBordersTest {
    @ArchTest
    static final ArchRule GENERATOR_LEANS_ON_THE_JDK_ALONE = classes()
            .that()
            .resideInAPackage("io.snowlease.generator..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("io.snowlease.generator..", "java..", "org.jspecify..");

    @ArchTest
    static final ArchRule PROTOCOL_KNOWS_NO_IO_NO_CLOCKS_AND_NO_THREADS = classes()
            .that()
            .resideInAPackage("io.snowlease.registry.protocol..")
            .should()
            .onlyDependOnClassesThat(resideInAnyPackage(
                            "io.snowlease.registry.protocol..",
                            "java.lang",
                            "java.lang.runtime",
                            "java.lang.invoke",
                            "java.util",
                            "java.time",
                            "org.jspecify..")
                    .or(type(Layout.class)));

    @ArchTest
    static final ArchRule PROTOCOL_READS_NO_CLOCK = noClasses()
            .that()
            .resideInAPackage("io.snowlease.registry.protocol..")
            .should()
            .callMethod(Instant.class, "now")
            .orShould()
            .callMethod(UUID.class, "randomUUID");

    @ArchTest
    static final ArchRule ONE_FILE_READS_THE_MACHINES_CLOCKS = noClasses()
            .that()
            .doNotHaveFullyQualifiedName(Clocks.SystemClocks.class.getName())
            .should()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(Instant.class, "now");

    @ArchTest
    static final ArchRule CORE_KNOWS_NO_STORE = noClasses()
            .that()
            .resideInAPackage("io.snowlease.registry..")
            .and()
            .resideOutsideOfPackages("io.snowlease.registry.zookeeper..", "io.snowlease.registry.redis..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.snowlease.registry.zookeeper..",
                    "io.snowlease.registry.redis..",
                    "io.lettuce..",
                    "org.apache.zookeeper..",
                    "org.apache.curator..",
                    "io.netty..");

    @ArchTest
    static final ArchRule STORES_LEAN_ON_CORE_ALONE = noClasses()
            .that()
            .resideInAnyPackage("io.snowlease.registry.zookeeper..", "io.snowlease.registry.redis..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.snowlease.registry", "io.snowlease.registry.memory..", "io.snowlease.admin..");

    /** A service embeds the one or the other. */
    @ArchTest
    static final ArchRule THE_STORE_ON_ZOOKEEPER_KNOWS_NO_REDIS = noClasses()
            .that()
            .resideInAPackage("io.snowlease.registry.zookeeper..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.snowlease.registry.redis..", "io.lettuce..");

    @ArchTest
    static final ArchRule THE_STORE_ON_REDIS_KNOWS_NO_ZOOKEEPER = noClasses()
            .that()
            .resideInAPackage("io.snowlease.registry.redis..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.snowlease.registry.zookeeper..", "org.apache.zookeeper..", "org.apache.curator..");

    @ArchTest
    static final ArchRule NO_ONE_LEANS_ON_ADMIN = noClasses()
            .that()
            .resideOutsideOfPackage("io.snowlease.admin..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.snowlease.admin..");

    @ArchTest
    static final ArchRule THE_KEEPER_NEEDS_NO_METRICS_LIBRARY = noClasses()
            .that()
            .resideOutsideOfPackage("io.snowlease.registry.metrics..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.micrometer..");

    /** mybatis-plus #6683: a host name look-up took 20 to 40 s. */
    @ArchTest
    static final ArchRule NOBODY_LOOKS_UP_THIS_HOSTS_NAME = noClasses()
            .should()
            .callMethod(InetAddress.class, "getLocalHost")
            .orShould()
            .callMethod(InetAddress.class, "getCanonicalHostName");
}
